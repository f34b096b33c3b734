import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <Panel>
      <Empty title="No matches yet" action={<Button onClick={onClear}>Clear the filter</Button>}>
        New matching events appear here immediately.
      </Empty>
    </Panel>
  )
}
