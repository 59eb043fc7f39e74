"""The data sets that can be fetched by name, and the published checksums of those that are zips."""

# SHA-256 of the zips in tensorflow/datasets, tensorflow_datasets/url_checksums/movielens.txt; of ml-10m in
# ISG-Siegen/OmniRec, src/omnirec/data_loaders/movielens_small.py (the same file's MD5, which GroupLens publishes beside
# the zip, is ce571fd55effeba0271552578f2648bd in lenskit/lk-demo-experiment, data/ml-10m.zip.dvc). For ml-32m no public
# SHA-256 was found: its MD5 is in lenskit/lk-demo-experiment, data/ml-32m.zip.dvc. An MD5 guards against a damaged
# download, not against a file forged on purpose.
CHECKSUMS = {
    "ml-latest-small": "sha256:696d65a3dfceac7c45750ad32df2c259311949efec81f0f144fdfb91ebc9e436",
    "ml-1m": "sha256:a6898adb50b9ca05aa231689da44c217cb524e7ebd39d264c56e2832f2c54e20",
    "ml-10m": "sha256:813c411ccb6122564edfe752e7f80c4dcc5aa25fa94c93622f6877a7ba252862",
    "ml-20m": "sha256:96f243c338a8665f6bcc89c53edf6ee39162a846940de6b7c8c48aeada765ff3",
    "ml-25m": "sha256:8b21cfb7eb1706b4ec0aac894368d90acf26ebdfb6aced3ebd4ad5bd1eb9c6aa",
    "ml-32m": "md5:d472be332d4daa821edc399621853b57",
}
NAMES = ("ml-100k", *CHECKSUMS)
