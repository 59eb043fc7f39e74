"""What drawing candidates does to a metric: exact distribution, expectation and variance, and estimators back."""
