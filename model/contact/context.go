package contact

import "context"

// backgroundKey is the context key that marks requests of the program itself.
type backgroundKey struct{}

// InBackground returns a context for requests that no user has asked for. Requests with this
// context leave a part of the platform's rate limit to other requests.
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

// WithProgress returns a context that makes requests call report with their progress. report
// is called in the goroutine that makes the requests.
func WithProgress(ctx context.Context, report func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// ProgressOf returns the function given to [WithProgress], or a function that does nothing if
// ctx has none.
func ProgressOf(ctx context.Context) func(Progress) {
	if report, ok := ctx.Value(progressKey{}).(func(Progress)); ok && report != nil {
		return report
	}
	return func(Progress) {}
}
