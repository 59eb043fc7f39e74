"""Both lists in one object or dict with names of its own, ids as groups of text."""

from dataclasses import dataclass, field


@dataclass
class Question:
    """A query with what was wanted, in groups of which one id is enough, and what was found."""

    text: str | None = None
    wanted_groups: list[list[str]] = field(default_factory=list)
    retrieved: list[str] = field(default_factory=list)

    def complete(self) -> bool:
        return bool(self.wanted_groups) and all(isinstance(one, str) for one in self.retrieved)


def precision_of_question(question: Question) -> float:
    """One query at a time; a method of the class is called."""
    if not question.complete():
        return 0.0
    wanted = {one for group in question.wanted_groups for one in group}
    found = question.retrieved
    return sum(one in wanted for one in found) / len(found) if found else 0.0


def reciprocal_rank_of_rows(rows, k=10):
    """A dict for each query, with one wanted item."""
    found = []
    for row in rows:
        ranking = row["ranking"][:k]
        found.append(1 / (ranking.index(row["true"]) + 1) if row["true"] in ranking else 0.0)
    return sum(found) / len(found)


def recall_of_rows(rows, k=10):
    """A dict for each query."""
    return [len(set(row["gold"]) & set(row["predictions"][:k])) / len(row["gold"]) for row in rows]
