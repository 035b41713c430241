// This file lets route_port.go declare createRoute without a body.
