// Package alerts is what a board knows of alerts: what is wrong now and in the
// picture that is shown, which of it is news, and who takes it over.
//
// What is wrong says an [Engine], which several boards can share: a [Watch] keeps
// nothing of it but what it draws from.
package alerts
