import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <Panel>
      <Empty title="Nothing matches yet" action={<Button onClick={onClear}>Clear the filter</Button>}>
        The next event that fits the filter shows here the moment it arrives.
      </Empty>
    </Panel>
  )
}
