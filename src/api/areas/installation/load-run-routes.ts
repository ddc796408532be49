// Load runs: reported by the tool while they run and when they have ended, and read by whoever compares them.

import { Type } from 'typebox'
import { type LoadRun, loadRunResultsTable, loadRunsTable } from '../../../records/load-run.js'
import { notFound } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import { readPage } from '../../pipeline/paging.js'
import { area } from './area.js'
import { limits } from './limits.js'
import {
  loadRun,
  loadRunDetails,
  type Progress,
  progressBody,
  resultBody,
  runId,
  shownEnded,
  shownRunning,
} from './load-runs.js'

const params = { run_id: runId }

const noteProgress = area.route({
  method: 'PUT',
  path: '/load-runs/{run_id}',
  operationId: 'noteLoadRun',
  summary: 'Report how a load run fares',
  description:
    'Sent by `ampshard load --report-to` once a second, each time whole. It is kept in memory until the result comes, or for a minute without a report. The answer says whether somebody has asked to end the run.',
  params,
  body: progressBody,
  responses: { 200: Type.Object({ is_asked_to_end: Type.Boolean() }) },
  // A report a second would fill the audit log, and nothing is stored.
  changesNothing: true,
  async handle({ params: { run_id }, body }, { loadRuns }) {
    const { isAskedToEnd } = await loadRuns.note({ runId: run_id, progress: body })
    return { status: 200, body: { is_asked_to_end: isAskedToEnd } }
  },
})

/** Of the runs that are kept, the oldest make room. */
function makeRoom(draft: Draft, organizationId: string): void {
  const { view } = draft
  const total = view.total(loadRunsTable, 'byOrganization', [organizationId])
  const limit = Math.max(0, total + 1 - limits.keptLoadRuns)
  if (limit === 0) return
  for (const { run_id } of view.listBy(loadRunsTable, 'byOrganization', [organizationId], { limit })) {
    draft.clear(loadRunsTable, [run_id])
    draft.clear(loadRunResultsTable, [run_id])
  }
}

const reportResult = area.post('/load-runs/{run_id}/result', {
  operationId: 'reportLoadRunResult',
  summary: 'Report the result of a load run',
  description: `The newest ${limits.keptLoadRuns} runs are kept. A result that has come before stays as it is.`,
  params,
  body: resultBody,
  answer: loadRun,
  async change({ params: { run_id }, body: { result, ...about }, principal }, draft, { loadRuns }) {
    const known = draft.view.get(loadRunsTable, [run_id])
    if (known !== undefined) return shownEnded(known)
    const { organization_id } = principal.organization
    const row: LoadRun = { run_id, organization_id, ...about }
    makeRoom(draft, organization_id)
    draft.putPlain(loadRunsTable, row)
    draft.putPlain(loadRunResultsTable, { run_id, organization_id, result })
    await loadRuns.ended(run_id)
    return shownEnded(row)
  },
})

const endRun = area.route({
  method: 'POST',
  path: '/load-runs/{run_id}/end',
  operationId: 'endLoadRun',
  summary: 'Ask the tool of a load run to end it early',
  description: 'The tool hears of it with its next report, ends the run in order, and reports what it has measured.',
  params,
  responses: { 202: Type.Object({ run_id: Type.String(), is_asked_to_end: Type.Boolean() }) },
  errors: [notFound],
  async handle({ params: { run_id } }, { loadRuns }) {
    const asked = await loadRuns.askToEnd(run_id)
    if (asked === undefined) throw notFound('no such load run is running')
    return { status: 202, body: { run_id, is_asked_to_end: true } }
  },
})

const listRuns = area.list('/load-runs', {
  operationId: 'listLoadRuns',
  summary: 'List the load runs that have ended, the newest first',
  row: loadRun,
  perPage: 50,
  maximum: limits.keptLoadRuns,
  fields: { running: Type.Array(loadRun, { description: 'Those that run now.' }) },
  async read({ query, principal }, { view, loadRuns }) {
    const list = { index: 'byOrganization', group: [principal.organization.organization_id] }
    const { rows, total } = readPage({ view: view(), table: loadRunsTable, list, query, newestFirst: true })
    return { rows: rows.map(shownEnded), total, running: (await loadRuns.running()).map(shownRunning) }
  },
})

const getRun = area.get('/load-runs/{run_id}', {
  operationId: 'getLoadRun',
  summary: 'Get a load run with its progress or its result',
  params,
  answer: loadRunDetails,
  async read({ params: { run_id }, principal }, { view, loadRuns }) {
    const ended = view().get(loadRunsTable, [run_id])
    if (ended?.organization_id === principal.organization.organization_id) {
      const result = view().get(loadRunResultsTable, [run_id])?.result ?? null
      return { ...shownEnded(ended), progress: null, is_asked_to_end: false, result }
    }
    const running = (await loadRuns.running()).find((run) => run.runId === run_id)
    if (running === undefined) throw notFound('there is no such load run')
    const progress = running.progress as Progress
    return { ...shownRunning(running), progress, is_asked_to_end: running.isAskedToEnd, result: null }
  },
})

export const loadRunRoutes = [listRuns, getRun, noteProgress, reportResult, endRun]
