package io.ringmaster.control.api;

import io.ringmaster.control.plane.PlaneConfig;

/**
 * What is configured, as long as the store does not say otherwise.
 *
 * @param config of the plane: its policy, and its nodes; those that the store does not know are
 *     shown as not up
 * @param operator who asks, as long as there is no token: the user of the operating system
 */
public record Site(PlaneConfig config, String operator) {}
