// Package diagnosis explains why contacts wait, and estimates what would help.
//
// A [History] keeps the recent history of a floor. For each minute, service and channel it has the
// contacts that arrived, were answered and abandoned, the lengths of talks and after-call work, and
// the states of agents. It also knows which agents left, when they left, and their current work.
// While the feed is not live, no time passes: such minutes are missing rather than empty.
//
// [ExplainQueue] compares now with the time before the problem began. It expresses each change in the
// same unit, the work of an agent. Arriving work is the number of contacts per minute times the
// minutes for each. Capacity is the number of agents at work for the service. More contacts, longer
// talks and longer after-call work increase the work. Agents who take a break, do other work or log
// out reduce the capacity. The share of a cause is its part of the total change in agents. Unknown
// figures and periods without observations are left out.
//
// A [Load] estimates how many more ready agents clear a queue and when, and when the queue clears
// without help. An [AgentIndex] finds the agents who could help. [ComputeFloorSpare] returns how many
// agents a service can spare. A [ReleasePlan] describes how many agents of a floor can leave in
// each half hour.
//
// The package uses no goroutine, no clock and no I/O.
package diagnosis
