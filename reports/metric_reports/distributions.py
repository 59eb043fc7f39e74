"""The distribution of a package index that brings a module, where their names differ."""

from __future__ import annotations

DISTRIBUTIONS = {
    "absl": "absl-py",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "faiss": "faiss-cpu",
    "fitz": "pymupdf",
    "git": "gitpython",
    "grpc": "grpcio",
    "haystack": "haystack-ai",
    "hydra": "hydra-core",
    "ignite": "pytorch-ignite",
    "llama_index": "llama-index-core",
    "MeCab": "mecab-python3",
    "open_clip": "open-clip-torch",
    "OpenSSL": "pyopenssl",
    "paddle": "paddlepaddle",
    "past": "future",
    "PIL": "pillow",
    "pl_bolts": "lightning-bolts",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "surprise": "scikit-surprise",
    "umap": "umap-learn",
    "yaml": "pyyaml",
}
"""Well-known modules, as ``import`` has them. Names that differ in ``_`` and capitals alone need no row."""


def distribution_of(module: str) -> str:
    """The distribution that brings a module; the module's own name where no other is known.

    >>> distribution_of("sklearn.metrics"), distribution_of("numpy"), distribution_of("torch_geometric.nn")
    ('scikit-learn', 'numpy', 'torch-geometric')
    """
    top = module.partition(".")[0]
    return DISTRIBUTIONS.get(top, top.replace("_", "-").lower())
