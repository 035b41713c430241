// This file lets port.go declare createRoute without a body.
