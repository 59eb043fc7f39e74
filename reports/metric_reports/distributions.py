"""The distribution of a package index that brings a module, where their names differ."""

from __future__ import annotations

DISTRIBUTIONS = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "faiss": "faiss-cpu",
    "fitz": "pymupdf",
    "git": "gitpython",
    "ml_collections": "ml-collections",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow",
    "pl_bolts": "lightning-bolts",
    "pytorch_lightning": "pytorch-lightning",
    "rank_bm25": "rank-bm25",
    "sentence_transformers": "sentence-transformers",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "surprise": "scikit-surprise",
    "tensorboardX": "tensorboardx",
    "torch_geometric": "torch-geometric",
    "torch_scatter": "torch-scatter",
    "torch_sparse": "torch-sparse",
    "yaml": "pyyaml",
}
"""Well-known modules, by name of the module as ``import`` has it."""


def distribution_of(module: str) -> str:
    """The distribution that brings a module; the module's own name where no other is known.

    >>> distribution_of("sklearn.metrics"), distribution_of("numpy")
    ('scikit-learn', 'numpy')
    """
    top = module.partition(".")[0]
    return DISTRIBUTIONS.get(top, top)
