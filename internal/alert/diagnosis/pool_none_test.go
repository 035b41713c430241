package diagnosis

import "testing"

// TestNobodyAnswersWithoutAgents checks that a service without agents answers nobody, however few
// contacts come, and that it is the first to get an agent.
func TestNobodyAnswersWithoutAgents(t *testing.T) {
	t.Parallel()
	for _, load := range []float64{0, 0.05, 3} {
		if out := erlangC(0, load, 90); out.ServiceLevel != 0 || !out.QueueGrows || out.Wait <= 0 {
			t.Errorf("load %v: %+v", load, out)
		}
	}
	if out := erlangC(1, 0, 90); out.ServiceLevel != 1 || out.QueueGrows {
		t.Errorf("an agent without contacts: %+v", out)
	}
}
