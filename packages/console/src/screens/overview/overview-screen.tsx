import { Screen } from '../../shell/screen.tsx'
import { FirstSteps } from './first-steps.tsx'

/** How an application is connected to the environment, until there is something to show of it. */
export function OverviewScreen() {
  return (
    <Screen title="Overview">
      <FirstSteps />
    </Screen>
  )
}
