"""How to ask RecBole."""
