import type { Step } from './step.ts'

/** The environment decides how many sessions are stored; it can only reduce what the client chose. */
export const sampleSession: Step = ({ context }) => (context.isSampledOut ? 'sampled_out' : undefined)
