// The billing rules, in the order in which they run: read, written, tried on past sessions before they are saved.

import { useState } from 'preact/hooks'
import { useQuery } from '../../client/address.js'
import { api, ask, placed, type Schema } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Choices, Fields, Tick } from '../../parts/fields.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { previewPeriod, type Simulation, SimulationResult } from '../../parts/simulation.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import {
  type ActionType,
  actionNames,
  type ConditionField,
  draftOf,
  fields,
  newRule,
  type Operator,
  operators,
  type RuleDraft,
  ruleText,
  sentRule,
} from './draft.js'
import { RuleTest } from './rule-test.js'

type Rule = Schema<'BillingRule'>

const columns: readonly Column<Rule>[] = [
  { id: 'priority', name: 'Order', width: '70px', align: 'end', cell: ({ priority }) => priority },
  { id: 'name', name: 'Name', width: 'minmax(140px, 1fr)', narrow: 'title', cell: ({ name }) => name },
  {
    id: 'does',
    name: 'What it does',
    width: 'minmax(160px, 3fr)',
    wideOnly: true,
    cell: (rule) => <span title={ruleText(draftOf(rule))}>{ruleText(draftOf(rule))}</span>,
  },
  {
    id: 'active',
    name: 'State',
    width: '80px',
    cell: ({ active }) => <Tag kind={active ? 'ok' : 'plain'}>{active ? 'active' : 'inactive'}</Tag>,
  },
]

const optionsOf = (names: Readonly<Record<string, string | { readonly name: string }>>) =>
  Object.entries(names).map(([value, name]) => ({ value, name: typeof name === 'string' ? name : name.name }))

const replaced = <Item,>(list: readonly Item[], at: number, item: Item | undefined): readonly Item[] =>
  list.flatMap((one, index) => (index !== at ? [one] : item === undefined ? [] : [item]))

function Form({ draft, set }: { readonly draft: RuleDraft; readonly set: (part: Partial<RuleDraft>) => void }) {
  const { conditions, actions } = draft
  return (
    <>
      <Fields>
        <Field label="Name" path="/name" value={draft.name} onChange={(name) => set({ name })} required autofocus />
        <Field
          label="Order; lower runs first"
          path="/priority"
          value={draft.priority}
          onChange={(priority) => set({ priority })}
          inputmode="numeric"
        />
        <Tick checked={draft.active} onChange={(active) => set({ active })}>
          Active
        </Tick>
      </Fields>
      <Choices name="All of these hold" path="/conditions" value={conditions.length}>
        {conditions.map((condition, at) => {
          const change = (part: Partial<typeof condition> | undefined): void =>
            set({ conditions: replaced(conditions, at, part && { ...condition, ...part }) })
          return (
            <Fields key={at}>
              <Field
                label={`What, of condition ${at + 1}`}
                hideLabel
                path={`/conditions/${at}/field`}
                value={condition.field}
                options={optionsOf(fields)}
                onChange={(field) => change({ field: field as ConditionField })}
              />
              <Field
                label={`How, of condition ${at + 1}`}
                hideLabel
                path={`/conditions/${at}/operator`}
                value={condition.operator}
                options={optionsOf(operators)}
                onChange={(operator) => change({ operator: operator as Operator })}
              />
              <Field
                label={`Value of condition ${at + 1}`}
                hideLabel
                path={`/conditions/${at}/value`}
                value={condition.value}
                onChange={(value) => change({ value })}
                placeholder={condition.operator === 'between' ? '22, 5' : ''}
              />
              <Button small icon="trash" label={`Remove condition ${at + 1}`} onClick={() => change(undefined)} />
            </Fields>
          )
        })}
        <Button
          small
          icon="plus"
          onClick={() => set({ conditions: [...conditions, { field: 'energy_kwh', operator: 'gte', value: '10' }] })}
        >
          Condition
        </Button>
      </Choices>
      <Choices name="Then, before tax, in this order" path="/actions" value={actions.length}>
        {actions.map((action, at) => {
          const change = (part: Partial<typeof action> | undefined): void =>
            set({ actions: replaced(actions, at, part && { ...action, ...part }) })
          return (
            <Fields key={at}>
              <Field
                label={`What action ${at + 1} does`}
                hideLabel
                path={`/actions/${at}/type`}
                value={action.type}
                options={optionsOf(actionNames)}
                onChange={(type) => change({ type: type as ActionType })}
              />
              <Field
                label={`Value of action ${at + 1}`}
                hideLabel
                path={`/actions/${at}/value`}
                value={action.value}
                onChange={(value) => change({ value })}
                inputmode="decimal"
              />
              {actions.length > 1 && (
                <Button small icon="trash" label={`Remove action ${at + 1}`} onClick={() => change(undefined)} />
              )}
            </Fields>
          )
        })}
        <Button
          small
          icon="plus"
          onClick={() => set({ actions: [...actions, { type: 'surcharge_fixed', value: '1' }] })}
        >
          Action
        </Button>
      </Choices>
    </>
  )
}

/** What is tried: the active rules as they are, with this one in the place of what it replaces. What is wrong with it is told as when it is saved. */
function preview(draft: RuleDraft, id: string | undefined, rules: readonly Rule[]): Promise<Simulation> {
  const others = rules.filter(({ active, rule_id }) => active && rule_id !== id).map(({ rule_id }) => rule_id)
  return placed(
    ask(
      api.POST('/api/v1/billing/rules/simulate', {
        body: { rules: [sentRule(draft)], rule_ids: others, ...previewPeriod(), changed_only: true, per_page: 10 },
      }),
    ),
    (path) => path.replace(/^\/rules\/0/, ''),
  )
}

function Editor({
  rule,
  rules,
  close,
  reload,
}: {
  readonly rule: Rule | undefined
  readonly rules: readonly Rule[]
  readonly close: () => void
  readonly reload: () => void
}) {
  const [draft, setDraft] = useState(rule === undefined ? newRule : draftOf(rule))
  const [isDeleting, setDeleting] = useState(false)
  const [shown, setShown] = useState<Simulation>()
  const set = (part: Partial<RuleDraft>): void => setDraft((now) => ({ ...now, ...part }))
  const id = rule?.rule_id

  async function tryIt(): Promise<void> {
    setShown(undefined)
    setShown(await preview(draft, id, rules))
  }

  return (
    <>
      <Ask
        title={rule === undefined ? 'New billing rule' : rule.name}
        does="Save the rule"
        said="The rule is saved. It counts for sessions that end from now on."
        wide
        close={close}
        others={[{ does: 'Preview on the last 30 days', run: tryIt, stays: true }]}
        run={async () => {
          const body = sentRule(draft)
          if (id === undefined) await ask(api.POST('/api/v1/billing/rules', { body }))
          else await ask(api.PUT('/api/v1/billing/rules/{rule_id}', { params: { path: { rule_id: id } }, body }))
          reload()
        }}
      >
        <Form draft={draft} set={set} />
        {id !== undefined && (
          <div class="row-of">
            <Button icon="trash" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </div>
        )}
        {rule !== undefined && <RuleTest rule={rule} />}
        {shown !== undefined && <SimulationResult of={shown} />}
      </Ask>
      {isDeleting && id !== undefined && (
        <Ask
          title={`Delete ${rule?.name}?`}
          does="Delete the rule"
          said="The rule is deleted."
          danger
          close={() => setDeleting(false)}
          done={close}
          run={async () => {
            await ask(api.DELETE('/api/v1/billing/rules/{rule_id}', { params: { path: { rule_id: id } } }))
            reload()
          }}
        >
          <p>Sessions that have ended keep what the rule gave them.</p>
        </Ask>
      )}
    </>
  )
}

export function Page() {
  const [chosen, choose] = useQuery('rule')
  const list = useResource(
    async (signal) =>
      (await ask(api.GET('/api/v1/billing/rules', { params: { query: { per_page: 200 } }, signal }))).data,
    [],
  )
  const rules = list.data ?? []
  const rule = rules.find(({ rule_id }) => rule_id === chosen)
  const mayWrite = may('write:billing')
  const isOpen = list.data !== undefined && (rule !== undefined || (mayWrite && chosen === 'new'))
  const close = () => choose(undefined)
  return (
    <>
      <PageHead
        title="Billing rules"
        about="They run in this order when a session ends, each on what the one before has left"
        actions={
          mayWrite && (
            <Button kind="primary" icon="plus" onClick={() => choose('new', true)}>
              New rule
            </Button>
          )
        }
      />
      <Panel class="fills">
        <Loaded of={list}>
          {(data) =>
            data.length === 0 ? (
              <EmptyState icon="list-checks" title="There is no billing rule">
                <span>A session costs what its tariff says.</span>
              </EmptyState>
            ) : (
              <Table
                label="Billing rules"
                columns={columns}
                count={data.length}
                rowAt={(at) => data[at] as Rule}
                keyOf={({ rule_id }) => rule_id}
                open={({ rule_id }) => choose(rule_id, true)}
              />
            )
          }
        </Loaded>
      </Panel>
      {isOpen && mayWrite && <Editor key={chosen} rule={rule} rules={rules} close={close} reload={list.reload} />}
      {isOpen && !mayWrite && rule !== undefined && (
        <Dialog title={rule.name} close={close} wide>
          <p>{ruleText(draftOf(rule))}</p>
          <RuleTest key={chosen} rule={rule} />
        </Dialog>
      )}
    </>
  )
}
