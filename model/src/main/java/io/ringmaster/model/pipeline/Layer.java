package io.ringmaster.model.pipeline;

/**
 * A piece of a neural network that is not cut: a layer or a block of layers.
 *
 * @param parameters its part of the network's parameters, on any scale that the layers share
 * @param sentBytesPerSample activations that it hands on for one sample; the gradient that comes
 *     back has the same size
 * @param compute its part of the network's computation, on any scale that the layers share
 */
public record Layer(double parameters, double sentBytesPerSample, double compute) {}
