# Rscript check.R vectors.json
library(jsonlite)

# Each metric gets the gain at every rank (0: not relevant), the gains of all relevant items, and k.
dcg <- function(gains, k) { gains <- head(gains, k); sum((gains > 0) / log2(seq_along(gains) + 1)) }
metrics <- list(
  "precision(divide_by=k)" = function(gains, relevant, k) sum(head(gains, k) > 0) / k,
  "average_precision(divide_by=min_k_relevant)" = function(gains, relevant, k) {
    hits <- head(gains, k) > 0
    sum(cumsum(hits)[hits] / which(hits)) / min(k, length(relevant))
  },
  "ndcg(gain=binary)" = function(gains, relevant, k) dcg(gains, k) / dcg(relevant, k)
)

page <- fromJSON(commandArgs(trailingOnly = TRUE)[1], simplifyVector = FALSE)
id <- function(item) if (is.character(item)) paste0("text ", item) else sprintf("%.0f", item)
right <- wrong <- skipped <- 0
for (example in page$cases) {
  under <- modifyList(list(norel = "skip", nolist = "0", dup = "counted", ties = "input"), as.list(example$under))
  if (under$dup != "counted" || under$ties != "input") { skipped <- skipped + 1; next }
  for (index in seq_along(page$definitions)) {
    name <- page$definitions[[index]]$name
    if (is.null(metrics[[name]])) next
    values <- unlist(lapply(example$users, function(user) {
      kept <- Filter(function(pair) pair[[2]] >= example$threshold, user$relevant)
      edge <- if (length(kept) == 0) under$norel else if (length(user$list) == 0) under$nolist else NULL
      if (!is.null(edge)) return(if (edge == "skip") NULL else as.numeric(edge))
      gains <- setNames(sapply(kept, function(pair) pair[[2]]), sapply(kept, function(pair) id(pair[[1]])))
      ranks <- gains[sapply(user$list, id)]
      metrics[[name]](ifelse(is.na(ranks), 0, ranks), gains, example$k)
    }))
    expected <- example$values[[index]]
    if (abs(mean(values) - expected[[2]]) <= page$tolerance) { right <- right + 1; next }
    wrong <- wrong + 1
    cat(sprintf("%s: %s is %s, not %.15g\n", example$name, name, expected[[1]], mean(values)))
  }
}
others <- sprintf("other definitions and %d cases (duplicates, ties) are skipped", skipped)
cat(sprintf("%d right, %d wrong; %s\n", right, wrong, others))
quit(status = as.integer(wrong > 0))
