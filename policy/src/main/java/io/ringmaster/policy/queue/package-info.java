/** Orders of jobs that stay cheap at hundreds of thousands of waiting jobs. */
@NullMarked
package io.ringmaster.policy.queue;

import org.jspecify.annotations.NullMarked;
