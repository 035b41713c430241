package contact

import "context"

// backgroundKey is a context key.
type backgroundKey struct{}

// InBackground marks requests that no user asked for. They leave part of the platform's
// request limit free.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

// IsBackground reports whether ctx was marked by [InBackground].
func IsBackground(ctx context.Context) bool {
	on, _ := ctx.Value(backgroundKey{}).(bool)
	return on
}

// progressKey is the context key of the progress callback.
type progressKey struct{}

// WithProgress returns a context whose requests report their progress and waiting time to
// report, in the goroutine that makes them.
func WithProgress(ctx context.Context, report func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// ProgressOf returns the progress callback of ctx, or a function that does nothing. It is
// never nil.
func ProgressOf(ctx context.Context) func(Progress) {
	if report, ok := ctx.Value(progressKey{}).(func(Progress)); ok && report != nil {
		return report
	}
	return func(Progress) {}
}
