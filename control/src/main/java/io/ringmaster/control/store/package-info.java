/** What is remembered: jobs, their history, nodes, tokens, who leads. */
@NullMarked
package io.ringmaster.control.store;

import org.jspecify.annotations.NullMarked;
