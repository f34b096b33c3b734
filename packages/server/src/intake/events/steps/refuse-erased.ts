import type { Step } from './step.ts'

/** A person who was erased does not come back with what a browser still kept. */
export const refuseErased: Step = ({ context }) => (context.isErased ? 'erased_person' : undefined)
