import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

/** The style of a tab, also for links: tabs with a URL are links. */
export const tabClass =
  '-mb-1 shrink-0 cursor-pointer whitespace-nowrap border-transparent border-b-2 pt-8 pb-6 font-medium text-text-2 -outline-offset-2 hover:text-text aria-[current=page]:border-text aria-[current=page]:text-text data-[state=active]:border-text data-[state=active]:text-text'

export const tabListClass =
  'flex gap-18 overflow-x-auto overflow-y-hidden border-line border-b pb-1 [scrollbar-width:none]'

type TabsProps<Value extends string> = {
  label: string
  tabs: readonly { value: Value; label: ReactNode; content: ReactNode }[]
  value: Value
  onValue: (value: Value) => void
}

export function Tabs<Value extends string>({ label, tabs, value, onValue }: TabsProps<Value>) {
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => {
        const chosen = tabs.find((tab) => tab.value === next)
        if (chosen) onValue(chosen.value)
      }}
      className="grid min-w-0 gap-12"
    >
      <Primitive.List aria-label={label} className={tabListClass}>
        {tabs.map((tab) => (
          <Primitive.Trigger key={tab.value} value={tab.value} className={tabClass}>
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} className="min-w-0">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
