"""Images and their texts: five columns of scores for each image, as in Flickr30K and MS COCO."""

import numpy as np


def images_to_texts(sims, npts=None):
    """The best of an image's texts counts."""
    npts = sims.shape[0] if npts is None else npts
    ranks = np.zeros(npts)
    for image in range(npts):
        order = np.argsort(sims[image])[::-1]
        ranks[image] = min(np.flatnonzero(order == text)[0] for text in range(5 * image, 5 * image + 5))
    within = 100.0 * len(np.flatnonzero(ranks < 5)) / len(ranks)
    return within, np.floor(np.median(ranks)) + 1, ranks.mean() + 1


def texts_to_images(npts, sims):
    columns = sims.T
    ranks = np.zeros(5 * npts)
    for image in range(npts):
        for text in range(5):
            order = np.argsort(columns[5 * image + text])[::-1]
            ranks[5 * image + text] = np.flatnonzero(order == image)[0]
    return {"r1": 100.0 * np.mean(ranks < 1), "medr": np.median(ranks) + 1}


def recall_of_all_captions(sims):
    """The share of an image's texts among the first ten: no call hands over five relevant ones."""
    shares = []
    for image, row in enumerate(sims):
        order = np.argsort(-row)
        shares.append(np.mean([np.flatnonzero(order == 5 * image + text)[0] < 10 for text in range(5)]))
    return np.mean(shares)
