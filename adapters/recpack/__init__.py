"""How to ask RecPack."""
