"""Rating error: how far are predicted ratings from the true ones? MAE, MSE, RMSE, R squared and accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from metric_reference.case import Case
from metric_reference.matching import Matches
from metric_reference.metric import Metric, Parts, choice, ratio


class OfRatings(Metric):
    """A metric of judgements with a predicted rating; k has no effect."""

    needs = ("predicted_ratings",)
    relevance = False
    lists = False

    def same_denominator(self) -> bool:
        return True

    def predictions(self, case: Case) -> np.ndarray:
        """Predicted rating of each judgement: float64, NaN where there is none.

        Raises ValueError where the case has no predicted ratings.
        """
        if case.predicted_ratings is None:
            raise ValueError(f"{self.name} needs predicted_ratings, which this case does not have")
        return case.predicted_ratings


@dataclass(frozen=True)
class MeanOfRatings(OfRatings):
    """A mean of a loss over judgements.

    over : ``ratings``: one mean over all judgements; ``users``: each user's mean, then the mean over users.
    """

    over: str = choice("ratings", "users")

    def of_whole_case(self) -> bool:
        return self.over == "ratings"

    def averaged(self, case: Case) -> np.ndarray:
        """Which judgements are in the mean: bool, shape (judgements,)."""
        return ~np.isnan(self.predictions(case))

    def loss(self, predicted: np.ndarray, truth: np.ndarray) -> np.ndarray:
        """Loss of each rating: float64, shape of the inputs."""
        raise NotImplementedError

    def finish(self, mean: np.ndarray) -> np.ndarray:
        """The metric from the mean loss."""
        return mean

    def parts(self, matches: Matches, k: int) -> Parts:
        case = matches.case
        averaged = self.averaged(case)
        loss = self.loss(self.predictions(case)[averaged], case.judged_gains[averaged])
        if self.of_whole_case():
            return self.finish(np.array([loss.mean()]) if loss.size else np.array([np.nan])), np.ones(1)
        users = case.judged_users[averaged]
        count = np.bincount(users, minlength=matches.users).astype(np.float64)
        mean = ratio(np.bincount(users, loss, minlength=matches.users), count)
        return np.where(count > 0, self.finish(mean), 0.0), (count > 0).astype(np.float64)

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, float("inf")


@dataclass(frozen=True)
class RatingError(MeanOfRatings):
    """A mean of a loss over all judgements, or over relevant ones.

    of : ``all`` judgements, or the ``relevant`` ones.
    """

    of: str = choice("all", "relevant")

    def averaged(self, case: Case) -> np.ndarray:
        rated = super().averaged(case)
        return rated & case.relevant if self.of == "relevant" else rated


@dataclass(frozen=True)
class Mae(RatingError):
    """Mean absolute error of predicted ratings."""

    name = "mae"
    about = "mean absolute error of ratings"

    def loss(self, predicted: np.ndarray, truth: np.ndarray) -> np.ndarray:
        return np.abs(predicted - truth)

    def formula(self) -> str:
        return r"\frac{1}{n} \sum_{i} |\hat{g}_i - g_i|"


@dataclass(frozen=True)
class Rmse(RatingError):
    """Root of the mean squared error of predicted ratings; over users, the mean of the users' roots."""

    name = "rmse"
    about = "root mean squared error of ratings"

    def loss(self, predicted: np.ndarray, truth: np.ndarray) -> np.ndarray:
        return (predicted - truth) ** 2

    def finish(self, mean: np.ndarray) -> np.ndarray:
        return np.sqrt(mean)

    def formula(self) -> str:
        return r"\sqrt{\frac{1}{n} \sum_{i} (\hat{g}_i - g_i)^2}"


@dataclass(frozen=True)
class Mse(RatingError):
    """Mean squared error of predicted ratings."""

    name = "mse"
    about = "mean squared error of ratings"

    def loss(self, predicted: np.ndarray, truth: np.ndarray) -> np.ndarray:
        return (predicted - truth) ** 2

    def formula(self) -> str:
        return r"\frac{1}{n} \sum_{i} (\hat{g}_i - g_i)^2"


@dataclass(frozen=True)
class RSquared(OfRatings):
    """1 - the squared errors of all predicted ratings over the squared distances of the true ones to their mean.

    errors : ``as_they_are``: the coefficient of determination; ``centred``: their mean is subtracted first, so that a
        constant error costs nothing (explained variance). Undefined where all true ratings are equal.
    """

    name = "r_squared"
    about = "share of the variance of ratings that is predicted"
    errors: str = choice("as_they_are", "centred")

    def of_whole_case(self) -> bool:
        return True

    def parts(self, matches: Matches, k: int) -> Parts:
        case = matches.case
        predicted = self.predictions(case)
        rated = ~np.isnan(predicted)
        truth, error = case.judged_gains[rated], (case.judged_gains - predicted)[rated]
        if not truth.size:
            return np.zeros(1), np.zeros(1)
        if self.errors == "centred":
            error = error - error.mean()
        spread = ((truth - truth.mean()) ** 2).sum() * np.ones(1)
        return spread - (error**2).sum(), spread

    def bounds(self, k: int) -> Tuple[float, float]:
        return float("-inf"), 1.0

    def formula(self) -> str:
        error = r"g_i - \hat{g}_i" if self.errors == "as_they_are" else r"g_i - \hat{g}_i - \bar{e}"
        return rf"1 - \frac{{\sum_i ({error})^2}}{{\sum_i (g_i - \bar{{g}})^2}}"


@dataclass(frozen=True)
class Accuracy(MeanOfRatings):
    """Share of predicted ratings that equal the true one.

    match : ``exact``: not rounded; ``nearest_half``: rounded to the nearest half; ``nearest``: to the nearest whole.
    """

    name = "accuracy"
    about = "share of ratings predicted right"
    match: str = choice("exact", "nearest_half", "nearest")

    def loss(self, predicted: np.ndarray, truth: np.ndarray) -> np.ndarray:
        step = {"exact": 0.0, "nearest_half": 0.5, "nearest": 1.0}[self.match]
        rounded = np.round(predicted / step) * step if step else predicted
        return (rounded == truth).astype(np.float64)

    def bounds(self, k: int) -> Tuple[float, float]:
        return 0.0, 1.0

    def formula(self) -> str:
        return r"\frac{1}{n} \sum_{i} [\hat{g}_i = g_i]"
