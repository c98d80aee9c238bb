"""Trains a small residual network on handwritten digits; ordinary MindSpore code.

    python -m mindir digits.py            # trains and compares jit with eager
    python -m mindir digits.py --seeds 1  # quicker

The data are scikit-learn's 1,797 real 8x8 images; the last 450, by other writers,
are the test set. It prints the mean test accuracy of the network under `jit` and
in eager mode, that of a two-layer perceptron for comparison, the time of a step in
both modes, the compile time, and where the IR of the training step was written.
"""

import argparse
import sys
import time

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import HeNormal
from sklearn.datasets import load_digits
from tqdm import tqdm

NUM_TEST = 450
BATCH = 64
LEARNING_RATE = 0.1
MOMENTUM = 0.9


class ResidualBlock(nn.Cell):
    """Two 3x3 convolutions around which the input is added again."""

    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, kernel_size=3, padding=1,
                               pad_mode="pad", weight_init=HeNormal())
        self.bn1 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(channels, channels, kernel_size=3, padding=1,
                               pad_mode="pad", weight_init=HeNormal())
        self.bn2 = nn.BatchNorm2d(channels)

    def construct(self, x):
        identity = x
        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)
        out = self.conv2(out)
        out = self.bn2(out)
        out += identity
        return self.relu(out)


class ResNet(nn.Cell):
    """A stem, two stages of one residual block each, and a linear classifier."""

    def __init__(self, channels=16, classes=10):
        super().__init__()
        self.stem = nn.SequentialCell(
            nn.Conv2d(1, channels, 3, padding=1, pad_mode="pad", weight_init=HeNormal()),
            nn.BatchNorm2d(channels), nn.ReLU())
        self.stage1 = ResidualBlock(channels)
        self.down = nn.SequentialCell(
            nn.Conv2d(channels, 2 * channels, 3, stride=2, padding=1, pad_mode="pad",
                      weight_init=HeNormal()),
            nn.BatchNorm2d(2 * channels), nn.ReLU())
        self.stage2 = ResidualBlock(2 * channels)
        self.head = nn.Dense(2 * channels, classes)

    def construct(self, x):
        x = self.stage1(self.stem(x))
        x = self.stage2(self.down(x))
        return self.head(x.mean((2, 3)))


class MLP(nn.Cell):
    """The baseline: one hidden layer of 64 units."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Dense(64, 64, weight_init=HeNormal(), activation="relu")
        self.head = nn.Dense(64, 10)

    def construct(self, x):
        return self.head(self.hidden(x.reshape((-1, 64))))


def load():
    """Returns (train images, train labels, test images, test labels)."""
    digits = load_digits()
    images = (digits.images / 16.0).astype(np.float32)[:, None]
    labels = digits.target.astype(np.int32)
    return images[:-NUM_TEST], labels[:-NUM_TEST], images[-NUM_TEST:], labels[-NUM_TEST:]


def shift(images, rng):
    """Moves each image by at most one pixel in each direction."""
    padded = np.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)))
    offsets = rng.randint(0, 3, (len(images), 2))
    return np.stack([image[:, y:y + 8, x:x + 8] for image, (y, x) in zip(padded, offsets)])


def make_step(net, optimizer, compiled):
    """Returns the function that trains on one batch and gives its loss."""
    loss_fn = nn.CrossEntropyLoss()

    def forward(images, labels):
        return loss_fn(net(images), labels)

    value_and_grad = ms.value_and_grad(forward, None, optimizer.parameters)

    def step(images, labels):
        loss, gradients = value_and_grad(images, labels)
        optimizer(gradients)
        return loss

    return ms.jit(step) if compiled else step


def accuracy(net, images, labels):
    net.set_train(False)
    predicted = net(Tensor(images)).asnumpy().argmax(1)
    return float((predicted == labels).mean())


def train(make_net, seed, epochs, compiled, label):
    """Trains one network; returns (test accuracy, seconds of each step)."""
    train_x, train_y, test_x, test_y = load()
    ms.set_seed(seed)
    rng = np.random.RandomState(seed)
    net = make_net()
    net.set_train(True)
    optimizer = nn.Momentum(net.trainable_params(), LEARNING_RATE, MOMENTUM)
    step = make_step(net, optimizer, compiled)
    batches = len(train_x) // BATCH
    times = []
    with tqdm(total=epochs * batches, desc=label, file=sys.stdout, mininterval=0.5,
              disable=None) as bar:
        for i in range(epochs * batches):
            if i % batches == 0:
                order = rng.permutation(len(train_x))
            chosen = order[i % batches * BATCH:][:BATCH]
            rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * i / (epochs * batches)))
            optimizer.learning_rate.set_data(Tensor(rate, ms.float32))
            images = Tensor(shift(train_x[chosen], rng))
            labels = Tensor(train_y[chosen])
            start = time.perf_counter()
            loss = step(images, labels).asnumpy()
            times.append(time.perf_counter() - start)
            bar.update()
            bar.set_postfix(loss=f"{float(loss):.3f}", refresh=False)
    return accuracy(net, test_x, test_y), times


def report(label, results):
    accuracies = [result[0] for result in results]
    print(f"{label:<22} mean test accuracy of {len(results)} seeds: "
          f"{np.mean(accuracies):.2%}  ({', '.join(f'{a:.2%}' for a in accuracies)})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3, help="networks to train")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--graphs", default="digits-ir", help="folder for the IR dump")
    args = parser.parse_args()

    def run(make_net, compiled, label):
        results = [train(make_net, seed, args.epochs, compiled, f"{label} seed {seed}")
                   for seed in range(args.seeds)]
        report(label, results)
        return results

    run(MLP, True, "perceptron, jit")
    ms.set_context(save_graphs=2, save_graphs_path=args.graphs)
    jit = run(ResNet, True, "residual net, jit")
    ms.set_context(save_graphs=0)
    eager = run(ResNet, False, "residual net, eager")
    jit_step, eager_step = (np.median([t for _, times in results for t in times[1:]])
                            for results in (jit, eager))
    print(f"step: jit {jit_step * 1e3:.2f} ms, eager {eager_step * 1e3:.2f} ms "
          f"({eager_step / jit_step:.1f}x)")
    print(f"compile time: {jit[0][1][0] - jit_step:.2f} s")
    print(f"IR after each phase: {args.graphs}/")


if __name__ == "__main__":
    main()
