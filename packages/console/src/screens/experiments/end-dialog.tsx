import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import {
  type Experiment,
  endExperiment,
  experimentResultsQuery,
  experimentsKey,
} from '../../api/experiments.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Radio } from '../../ui/form/choice.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

type EndDialogProps = { experiment: Experiment; onClose: () => void }

const none = ''

/** The decision that ends an experiment. */
export function EndDialog({ experiment, onClose }: EndDialogProps) {
  const { project } = useScope()
  const results = useQuery(experimentResultsQuery({ project, experiment: experiment.id }, true))
  const arms = results.data?.arms ?? []
  const queryClient = useQueryClient()
  const [variation, setVariation] = useState(none)
  const [note, setNote] = useState('')
  const ending = useMutation({
    mutationFn: () =>
      endExperiment({
        project,
        experiment: experiment.id,
        decision: { variation: variation === none ? null : variation, note: note.trim() },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: experimentsKey(project) })
      onClose()
    },
  })
  const choices = [experiment.control, ...arms.map(({ treatment }) => treatment)]
  return (
    <Dialog
      title={`End ${experiment.name}`}
      description={
        experiment.layer === null
          ? 'Keeps the results as they are now. The split stays as it is until the flag is changed.'
          : `Keeps the results as they are now, and frees its share of layer ${experiment.layer.name}: all users of the split get ${variation === none ? experiment.control : variation} from now on.`
      }
      onClose={onClose}
      onSubmit={() => !ending.isPending && ending.mutate()}
      footer={<FormButtons verb="End experiment" busy={ending.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={ending.error && toProblem(ending.error)} />
      <Radio
        label="Decision"
        choices={[
          ...choices.map((one) => ({ value: one, label: `Keep ${one}` })),
          { value: none, label: 'No decision' },
        ]}
        value={variation}
        onValue={setVariation}
      />
      <TextArea
        label="Note (optional)"
        value={note}
        maxLength={limits.descriptionLength}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </Dialog>
  )
}
