import type { Step } from './step.ts'

/** Refuses events of an erased user that a browser still had in its queue. */
export const refuseErased: Step = ({ context }) => (context.isErased ? 'erased_person' : undefined)
