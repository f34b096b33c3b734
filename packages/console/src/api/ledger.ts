import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/ledger'
import { addressOf, request } from './client.ts'

export type Ledger = contract.Ledger
export type LedgerEntry = contract.LedgerEntry
export type LedgerRollback = contract.LedgerRollback
export type ExcessHarm = contract.ExcessHarm
export type HarmBudget = contract.HarmBudget
export type HarmBudgetDraft = BodyOf<typeof contract.setHarmBudget>

interface Place {
  project: string
  env: string
}

/** The server computes the current month every few minutes. */
const again = 60_000

export const ledgerKey = ({ project, env }: Place) => ['projects', project, 'environments', env, 'ledger']

export const ledgerQuery = (place: Place, month: string | undefined) =>
  queryOptions({
    queryKey: [...ledgerKey(place), month],
    queryFn: ({ signal }) =>
      request(calls.ledger.getLedger, {
        params: { ...place },
        query: month === undefined ? {} : { month },
        signal,
      }),
    refetchInterval: again,
  })

/** The address of an export, for a link: the browser writes it to disk as it arrives. */
export const ledgerAddress = (place: Place, month: string) =>
  addressOf(calls.ledger.exportLedger.path, { params: { ...place }, query: { month } })

export const setHarmBudget = ({ budget, ...params }: Place & { budget: HarmBudgetDraft }) =>
  request(calls.ledger.setHarmBudget, { params, body: budget })

export const deleteHarmBudget = (params: Place) => request(calls.ledger.deleteHarmBudget, { params })
