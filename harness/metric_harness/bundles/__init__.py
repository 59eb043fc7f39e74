"""The fixed input of a comparison: lists, judgements and how they were made."""
