// Package cause says why contacts wait: what is otherwise now than before the trouble
// began, each thing in the unit that they share, the work of an agent.
//
// The arithmetic is the same for all of them. The work that comes is contacts a
// minute times minutes for each; what the agents can do is how many of them are there
// for it. More contacts, longer talks and longer after-call work are more work; agents
// who went to a break, to other work or home are fewer who do it. What each of them
// changes, in agents, is its part of the lack. Nothing is made of figures that are
// unknown or of a time in which nobody looked.
package cause
