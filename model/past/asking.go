package past

import "context"

// background marks a context.
type background struct{}

// InBackground marks what is asked for by itself and not by a person: it leaves
// a part of the platform's limit of requests free.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, background{}, true)
}

// IsBackground reports whether ctx is one of [InBackground].
func IsBackground(ctx context.Context) bool {
	on, _ := ctx.Value(background{}).(bool)
	return on
}

// progress is the key of who is told of a context's questions.
type progress struct{}

// WithProgress returns a context that has told called with how far its questions
// are and how long they wait, in the goroutine that asks.
func WithProgress(ctx context.Context, told func(Progress)) context.Context {
	return context.WithValue(ctx, progress{}, told)
}

// ProgressOf returns who is told of the questions of ctx; it may be called even
// if that is nobody.
func ProgressOf(ctx context.Context) func(Progress) {
	if told, ok := ctx.Value(progress{}).(func(Progress)); ok && told != nil {
		return told
	}
	return func(Progress) {}
}
