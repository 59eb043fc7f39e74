"""What both adapters of RePlay share."""

NAMES = ("HitRate", "Precision", "Recall", "MRR", "MAP", "NDCG", "RocAuc")
"""The metrics that both releases have, under the same names."""
