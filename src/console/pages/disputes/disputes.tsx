// What drivers dispute: the list, one beside it, and the answer, which is final once it is accepted or rejected.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Segmented, Tag, type TagKind } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { numberIn } from '../../parts/form.js'
import { Amount, amountOf } from '../../parts/money.js'
import { Pager, useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { attempt } from '../../parts/toast.js'

type Dispute = Schema<'Dispute'>
type Status = Dispute['status']

const perPage = 50
const kinds: Readonly<Record<Status, TagKind>> = {
  open: 'warn',
  under_review: 'info',
  accepted: 'ok',
  rejected: 'plain',
}
const names: Readonly<Record<Status, string>> = {
  open: 'open',
  under_review: 'under review',
  accepted: 'accepted',
  rejected: 'rejected',
}

const columns: readonly Column<Dispute>[] = [
  { id: 'at', name: 'Opened', width: '170px', cell: ({ created_at }) => momentText(created_at) },
  {
    id: 'status',
    name: 'State',
    width: '110px',
    cell: ({ status }) => <Tag kind={kinds[status]}>{names[status]}</Tag>,
  },
  {
    id: 'reason',
    name: 'What is wrong',
    narrow: 'title',
    width: 'minmax(140px, 2fr)',
    cell: ({ reason }) => <span title={reason}>{reason}</span>,
  },
  {
    id: 'cost',
    name: 'Cost',
    width: '110px',
    align: 'end',
    narrow: 'end',
    cell: ({ disputed_cost, currency }) => <Amount of={amountOf(disputed_cost, currency)} currency={currency} />,
  },
]

/** The id of who it was stands in the tooltip. */
const whenBy = (at: string, by: string | null, name: string | null) => (
  <span title={by ?? undefined}>{name === null ? momentText(at) : `${momentText(at)}, by ${name}`}</span>
)

type Answer = 'accepted' | 'rejected' | 'note'

function AnswerDialog({
  dispute,
  answer,
  close,
  reload,
}: {
  readonly dispute: Dispute
  readonly answer: Answer
  readonly close: () => void
  readonly reload: () => void
}) {
  const { dispute_id, currency, expected_cost, disputed_cost } = dispute
  const [amount, setAmount] = useState(amountOf(expected_cost ?? disputed_cost, currency))
  const [note, setNote] = useState(dispute.note ?? '')
  const titles = { accepted: 'Accept the dispute', rejected: 'Reject the dispute', note: 'Change the note' }
  return (
    <Ask
      title={titles[answer]}
      does={
        answer === 'accepted' ? 'Accept, and correct the cost' : answer === 'rejected' ? 'Reject it' : 'Save the note'
      }
      danger={answer !== 'note'}
      disabled={answer === 'note' && note.trim() === ''}
      whyNot={
        answer === 'accepted' && Number.isNaN(numberIn(amount))
          ? 'Say what the session is to cost, as a number.'
          : undefined
      }
      said={`The dispute is ${answer === 'note' ? 'answered' : answer}.`}
      close={close}
      run={async () => {
        await ask(
          api.PATCH('/api/v1/billing/disputes/{dispute_id}', {
            params: { path: { dispute_id } },
            body: {
              ...(answer !== 'note' && { status: answer }),
              ...(answer === 'accepted' && { amount: numberIn(amount) }),
              ...(note.trim() !== '' && { note }),
            },
          }),
        )
        reload()
      }}
    >
      {answer === 'accepted' && (
        <>
          <p>
            The cost of the session is corrected: its bill gets an adjustment, its receipt a new revision, and the next
            invoice has the difference. This is final.
          </p>
          <Field
            label={`What the session is to cost, in ${currency}, with tax`}
            path="/amount"
            value={amount}
            onChange={setAmount}
            inputmode="decimal"
            autofocus
          />
        </>
      )}
      {answer === 'rejected' && <p>The cost stays as it is. This is final.</p>}
      <Field label="Note, which the driver reads" path="/note" value={note} onChange={setNote} lines={3} />
    </Ask>
  )
}

function Detail({
  dispute,
  close,
  reload,
}: {
  readonly dispute: Dispute
  readonly close: () => void
  readonly reload: () => void
}) {
  const [answer, setAnswer] = useState<Answer>()
  const { status, currency } = dispute
  const isDecided = status === 'accepted' || status === 'rejected'
  const money = (value: number | null) =>
    value === null ? undefined : <Amount of={amountOf(value, currency)} currency={currency} />

  async function change(next: 'open' | 'under_review'): Promise<void> {
    const params = { path: { dispute_id: dispute.dispute_id } }
    await attempt(() => ask(api.PATCH('/api/v1/billing/disputes/{dispute_id}', { params, body: { status: next } })))
    reload()
  }

  return (
    <Panel
      title="Dispute"
      hint={<Tag kind={kinds[status]}>{names[status]}</Tag>}
      padded
      actions={
        <>
          <Link class="link" href={`/sessions/${dispute.session_id}`}>
            Its session and bill
          </Link>
          <Button kind="ghost" small icon="x" label="Close the dispute" onClick={close} />
        </>
      }
    >
      <div class="stack">
        <p>{dispute.reason}</p>
        <Facts
          of={[
            { name: 'Opened', value: whenBy(dispute.created_at, dispute.opened_by, dispute.opened_by_name) },
            { name: 'Cost when disputed', value: money(dispute.disputed_cost) },
            { name: 'Driver expects', value: money(dispute.expected_cost) },
            { name: 'Agreed', value: money(dispute.accepted_amount) },
            { name: 'Note', value: dispute.note },
            {
              name: 'Last change',
              value:
                dispute.updated_by === null
                  ? undefined
                  : whenBy(dispute.updated_at, dispute.updated_by, dispute.updated_by_name),
            },
            { name: 'Id', value: <span class="mono">{dispute.dispute_id}</span> },
          ]}
        />
        {may('write:billing') && (
          <div class="row-of">
            {!isDecided && (
              <>
                <Button kind="primary" onClick={() => setAnswer('accepted')}>
                  Accept
                </Button>
                <Button onClick={() => setAnswer('rejected')}>Reject</Button>
                <Button onClick={() => void change(status === 'open' ? 'under_review' : 'open')}>
                  {status === 'open' ? 'Take under review' : 'Set open again'}
                </Button>
              </>
            )}
            <Button onClick={() => setAnswer('note')}>Note</Button>
          </div>
        )}
      </div>
      {answer !== undefined && (
        <AnswerDialog dispute={dispute} answer={answer} close={() => setAnswer(undefined)} reload={reload} />
      )}
    </Panel>
  )
}

function One({ id, close, reload }: { readonly id: string; readonly close: () => void; readonly reload: () => void }) {
  const dispute = useResource(
    (signal) => ask(api.GET('/api/v1/billing/disputes/{dispute_id}', { params: { path: { dispute_id: id } }, signal })),
    [id],
  )
  return (
    <Loaded of={dispute}>
      {(data) => (
        <Detail
          dispute={data}
          close={close}
          reload={() => {
            dispute.reload()
            reload()
          }}
        />
      )}
    </Loaded>
  )
}

export function Page() {
  const [status, setStatus] = useFilter('status')
  const [chosen, choose] = useQuery('dispute')
  const [page] = usePage()
  const list = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/billing/disputes', {
          params: { query: { page, per_page: perPage, ...(status !== undefined && { status: status as Status }) } },
          signal,
        }),
      ),
    [status, page],
  )
  return (
    <>
      <PageHead title="Disputes" about="What drivers say a session should not have cost">
        <Fields>
          <Segmented
            label="State"
            value={status ?? ''}
            options={[
              { value: '', name: 'All' },
              { value: 'open', name: 'Open' },
              { value: 'under_review', name: 'Under review' },
              { value: 'accepted', name: 'Accepted' },
              { value: 'rejected', name: 'Rejected' },
            ]}
            onChange={setStatus}
          />
        </Fields>
      </PageHead>
      {chosen !== undefined && <One id={chosen} close={() => choose(undefined)} reload={list.reload} />}
      <Panel class="fills">
        <Loaded of={list}>
          {({ disputes, total }) => (
            <>
              {disputes.length === 0 ? (
                <EmptyState
                  icon="check"
                  title={status === undefined ? 'Nobody disputes anything' : 'No dispute is in this state'}
                >
                  <span>A dispute is opened by its driver, or on the page of its session.</span>
                </EmptyState>
              ) : (
                <Table
                  label="Disputes"
                  columns={columns}
                  count={disputes.length}
                  rowAt={(at) => disputes[at] as Dispute}
                  keyOf={({ dispute_id }) => dispute_id}
                  open={({ dispute_id }) => choose(dispute_id, true)}
                />
              )}
              <Pager total={total} perPage={perPage} of="disputes" />
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}
