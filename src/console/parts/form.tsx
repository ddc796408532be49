// A form of the fields of a request, by their names in the API: what is missing keeps it from being sent, what the service refuses stands at the field,
// and what was typed stays until it is taken. In a dialog, or as a part of a page.

import './form.css'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ApiError } from '../client/api.js'
import { asApiError } from '../client/resource.js'
import { useUnsaved } from '../client/unsaved.js'
import { Ask, type AskProps } from './ask.js'
import { Button } from './button.js'
import { Field, type FieldProps } from './field.js'
import { Refusal, Refused } from './refusal.js'
import { toast } from './toast.js'

export interface FormField
  extends Omit<FieldProps, 'name' | 'value' | 'onChange' | 'error' | 'required' | 'autofocus'> {
  /** As the request has it. */
  readonly name: string
  /** It may be empty. */
  readonly optional?: boolean
  /** Only a number can be read. */
  readonly isNumber?: boolean
}

export type FormValues = Readonly<Record<string, string>>

/** They may depend on what was typed. */
export type FieldsOf = readonly FormField[] | ((values: FormValues) => readonly FormField[])

export interface Form {
  readonly fields: readonly FormField[]
  readonly values: FormValues
  readonly set: (name: string, value: string) => void
  /** What is missing, or cannot be read, as a sentence. */
  readonly whyNot: string | undefined
  /** Something is other than it was when it was shown, or kept. */
  readonly isChanged: boolean
  /** What there is now has been taken. */
  readonly keep: () => void
}

/** NaN where there is none. A comma is a point. */
export const numberIn = (text: string | undefined): number => Number(text?.trim().replace(',', '.') || Number.NaN)
export const numberOrNull = (text: string | undefined): number | null =>
  (text ?? '').trim() === '' ? null : numberIn(text)
export const textIn = (text: string | undefined): string => text?.trim() ?? ''
export const textOrNull = (text: string | undefined): string | null => text?.trim() || null
/** Ids one after the other, however they are separated. */
export const wordsIn = (text: string | undefined): string[] =>
  (text ?? '').split(/[\s,;]+/).filter((word) => word !== '')

const isUnreadable = ({ isNumber, name }: FormField, values: FormValues): boolean =>
  isNumber === true && textIn(values[name]) !== '' && Number.isNaN(numberIn(values[name]))

function faultOf(field: FormField, values: FormValues): string | undefined {
  if (isUnreadable(field, values)) return `“${field.label}” is not a number.`
  const isMissing = field.optional !== true && textIn(values[field.name]) === ''
  return isMissing ? `“${field.label}” is empty: fill it in first.` : undefined
}

export function useForm(of: FieldsOf, begin: FormValues = {}): Form {
  const [values, setValues] = useState(begin)
  const [kept, setKept] = useState(begin)
  const fields = typeof of === 'function' ? of(values) : of
  return {
    fields,
    values,
    set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    whyNot: fields.map((field) => faultOf(field, values)).find((fault) => fault !== undefined),
    isChanged: fields.some(({ name }) => (values[name] ?? '') !== (kept[name] ?? '')),
    keep: () => setKept(values),
  }
}

export function FormFields({
  of,
  autofocus = false,
}: {
  readonly of: Form
  /** The first has the keyboard. */
  readonly autofocus?: boolean
}) {
  return (
    <>
      {of.fields.map((field, at) => {
        const { optional, isNumber, label, ...rest } = field
        return (
          <Field
            path={`/${field.name}`}
            {...rest}
            key={field.name}
            label={optional === true && field.options === undefined ? `${label} (optional)` : label}
            value={of.values[field.name] ?? ''}
            onChange={(value) => of.set(field.name, value)}
            required={optional !== true}
            autofocus={autofocus && at === 0}
            {...(isNumber === true && { inputmode: 'decimal' as const })}
            {...(isUnreadable(field, of.values) && { error: 'This is not a number.' })}
          />
        )
      })}
    </>
  )
}

export interface PageFormProps {
  readonly of: Form
  /** Of the button, as a verb. */
  readonly does: string
  /** Said at the foot of the page when it was taken. */
  readonly said?: string
  readonly danger?: boolean
  /** The button waits for it. */
  readonly disabled?: boolean
  /** Below the fields. */
  readonly children?: ComponentChildren
  readonly run: (values: FormValues) => Promise<unknown>
}

/** A form that is a part of a page. */
export function PageForm({ of, does, said, danger, disabled, children, run }: PageFormProps) {
  const [error, setError] = useState<ApiError>()
  const [isSending, setSending] = useState(false)
  const isReady = of.whyNot === undefined && disabled !== true
  const unsaved = useUnsaved(of.isChanged)
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (!isReady || isSending) return
    setSending(true)
    setError(undefined)
    try {
      await run(of.values)
      unsaved.release()
      of.keep()
      if (said !== undefined) toast(said)
    } catch (failure) {
      setError(asApiError(failure))
    } finally {
      setSending(false)
    }
  }
  return (
    <form class="form" noValidate onSubmit={(event) => void submit(event)}>
      <Refused error={error}>
        <FormFields of={of} />
        {children}
        <Refusal error={error} />
      </Refused>
      <div class="row-of">
        <Button
          type="submit"
          kind={danger === true ? 'danger' : 'primary'}
          disabled={disabled === true}
          whyNot={of.whyNot}
          busy={isSending}
        >
          {does}
        </Button>
      </div>
    </form>
  )
}

export interface FormDialogProps extends Omit<AskProps, 'run' | 'disabled' | 'whyNot' | 'others'> {
  readonly fields: FieldsOf
  readonly begin?: FormValues
  readonly run: (values: FormValues) => Promise<unknown>
}

/** What is said above the fields is its content. */
export function FormDialog({ fields, begin, run, children, ...rest }: FormDialogProps) {
  const form = useForm(fields, begin)
  return (
    <Ask {...rest} whyNot={form.whyNot} run={() => run(form.values)}>
      {children}
      <FormFields of={form} autofocus />
    </Ask>
  )
}
