import { useConfigRef } from './flag-context.ts'
import { TargetingTab } from './targeting/targeting-tab.tsx'

export function TargetingScreen() {
  return <TargetingTab {...useConfigRef()} />
}
