"""RecTools' metrics beyond accuracy, and F1."""

import pandas as pd
from rectools import Columns, metrics

from frames import Full, columns, recommended, relevant, train  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    reco = pd.DataFrame(columns((Columns.User, Columns.Item, Columns.Rank), recommended(case, k)))
    truth = pd.DataFrame(columns((Columns.User, Columns.Item), relevant(case)))
    seen = pd.DataFrame(columns((Columns.User, Columns.Item), train(case)))
    catalogue = range(case.n_items)
    hamming = metrics.PairwiseHammingDistanceCalculator(pd.DataFrame(case.item_vectors, index=catalogue))
    return {
        "MeanInvUserFreq": metrics.MeanInvUserFreq(k).calc(reco, seen),
        "Serendipity": metrics.Serendipity(k).calc(reco, truth, seen, catalogue),
        "IntraListDiversity[Hamming]": metrics.IntraListDiversity(k, distance_calculator=hamming).calc(reco),
        "AvgRecPopularity": metrics.AvgRecPopularity(k).calc(reco, seen),
        "AvgRecPopularity[normalize]": metrics.AvgRecPopularity(k, normalize=True).calc(reco, seen),
        "CatalogCoverage": metrics.CatalogCoverage(k).calc(reco, catalogue),
        "CatalogCoverage[normalize]": metrics.CatalogCoverage(k, normalize=True).calc(reco, catalogue),
        "CoveredUsers": metrics.CoveredUsers(k).calc(reco, truth),
        "F1Beta": metrics.F1Beta(k).calc(reco, truth),
    }
