import type { Step } from './step.ts'

/** A person erased users does not come back with what a browser still kept. */
export const refuseErased: Step = ({ context }) => (context.isErased ? 'erased_person' : undefined)
