import { useNavigate, useSearch } from '@tanstack/react-router'
import { emptyFilter, printFilter } from '@telltale/core/query/filter'
import { type ExploreSearch, explorationOf } from '../../features/explore/explore-search.ts'
import { fieldsOf } from '../../features/explore/fields-of.ts'
import { Sentence } from '../../features/explore/sentence.tsx'
import { Screen } from '../../shell/screen.tsx'
import { useQuestion } from '../../shell/use-question.ts'
import { Button } from '../../ui/button.tsx'
import { fieldsText } from '../../ui/filter/field-words.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Examples } from './examples.tsx'
import { ExploreTabs } from './explore-tabs.tsx'
import { Result } from './result.tsx'

/** Any question about events as an editable sentence, with the result below. Its whole state is in the URL. */
export function ExploreScreen() {
  const search = useSearch({ from: '/p/$project/explore' })
  const navigate = useNavigate({ from: '/p/$project/explore' })
  const { question, filter, fault, setFilter, narrow } = useQuestion()
  const exploration = explorationOf(search, fieldsText(fieldsOf(search)))
  const set = (change: ExploreSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })

  return (
    <Screen
      title="Explore"
      scope="environment-and-time"
      tabs={<ExploreTabs />}
      actions={
        search.measure !== undefined && (
          <Button look="quiet" onClick={() => void navigate({ search: ({ env, t }) => ({ env, t }) })}>
            Start over
          </Button>
        )
      }
    >
      <Sentence
        search={search}
        onSearch={set}
        question={question}
        filter={filter}
        // A filter alone is a question already.
        onFilter={(next) => set({ q: printFilter(next) || undefined, measure: search.measure ?? 'count' })}
        fault={fault}
      />
      {exploration ? (
        <Result
          exploration={exploration}
          question={question}
          search={search}
          onSearch={set}
          onNarrow={narrow}
          onClear={question.filter === '' ? undefined : () => setFilter(emptyFilter)}
        />
      ) : search.measure === 'share' ? (
        <Panel>
          <Empty title="Choose a filter for the share">
            Fill in the field after “with”, for example <code>failed:true</code>.
          </Empty>
        </Panel>
      ) : (
        <Examples />
      )}
    </Screen>
  )
}
