"""Parameters that describe a result and hold no data, read from the source."""

import ast

import pytest

from metric_adapters.calls.keys import only_told


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("return {'model': spec['model'], 'auc': auc(y)}", {"spec"}),
        ("return {'model': spec.get('model'), 'parts': [{'name': name}], 'auc': auc(y)}", {"spec", "name"}),
        ("rows = []\n for i in y:\n  rows.append({'id': ids[i], 'hit': y[i]})\n return rows", {"ids"}),
        ("out = {'title': title, 'auc': auc(y)}\n return out", {"title"}),
        ("text = f'{spec} of {y}'\n return auc(y)", {"spec"}),
        ("frame = DataFrame({'label': y, 'score': p})\n return auc(frame)", set()),
        ("columns = {'label': y, 'score': p}\n return auc(columns)", set()),
        ("return auc({'label': y})", set()),
        ("return {'auc': auc(y), 'n': len(y), 'rows': y}", set()),
    ],
)
def test_what_only_stands_beside_a_result(source, told):
    assert only_told(ast.parse(f"def f(spec, name, title, ids, y, p):\n {source}")) == told
