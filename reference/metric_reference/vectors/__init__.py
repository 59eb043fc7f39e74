"""Test vectors: small cases with the exact value of every definition, for implementations in any language."""
