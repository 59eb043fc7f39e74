"""A SentenceTransformer whose products are the data set's scores: a word has one embedding, a text is one word.

Imported by the scripts of libraries that retrieve with an embedding model.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from feed import text
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace


def query(user: int) -> str:
    """The text that stands for a user."""
    return f"u{user:02d}"


def encoder(data: SimpleNamespace) -> SentenceTransformer:
    """The embedding of a query picks the column of a user, that of a document holds an item's scores by user."""
    words = [query(user) for user in range(data.users)] + [text(item) for item in range(data.items)] + ["unknown"]
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="unknown"))
    tokenizer.pre_tokenizer = Whitespace()
    rows = np.vstack([np.eye(data.users), np.array(data.scores).T, np.zeros((1, data.users))]).astype(np.float32)
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=rows)], similarity_fn_name="dot")
