import { useScope, useSetScope } from '../../../shell/scope-context.ts'
import { Segmented } from '../../../ui/form/choice.tsx'
import { summaryIn } from '../environment-states.ts'
import { useFlag } from '../flag-context.ts'
import { servesText } from '../flag-words.ts'

/** More than these do not fit beside the switch; the menu above has them all. */
const shownAtMost = 4

/** What everyone else gets in each environment, one click away. */
export function EnvironmentSwitch() {
  const flag = useFlag()
  const { environment, environments } = useScope()
  const setScope = useSetScope()
  if (environments.length < 2 || environments.length > shownAtMost) return null

  return (
    <span className="ml-auto min-w-0 max-full:hidden">
      <Segmented
        label="Environment"
        value={environment.key}
        onValue={(env) => setScope({ env })}
        choices={environments.map((one) => {
          const summary = summaryIn(flag, one.key)
          return {
            value: one.key,
            label: (
              <>
                <span className="max-w-[14ch] truncate">{one.name}</span>
                <span className="max-w-[14ch] truncate font-regular text-text-3">
                  {summary?.enabled ? servesText(summary.serves, flag.variations) : 'off'}
                </span>
              </>
            ),
          }
        })}
      />
    </span>
  )
}
