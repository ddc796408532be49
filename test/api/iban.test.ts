import fc from 'fast-check'
import { test } from 'tap'
import { maskIban, readIban } from '../../src/api/areas/site-owners/iban.js'

/** The examples of the IBAN registry (ISO 13616) for some countries. */
const examples = [
  'NL91ABNA0417164300',
  'DE89370400440532013000',
  'GB29NWBK60161331926819',
  'FR1420041010050500013M02606',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
]

test('iban - those of the registry are taken, with blanks and in small letters too', (t) => {
  for (const iban of examples) {
    t.equal(readIban(iban), iban)
    t.equal(readIban(` ${iban.toLowerCase().replace(/(.{4})/g, '$1 ')}`), iban)
  }
  for (const text of [
    '',
    'NL',
    'NL91',
    '91NLABNA0417164300',
    'NL91ABNA04171643001',
    'NL91-ABNA-0417-1643-00',
    'NL91ABNA0417164300'.repeat(2),
  ])
    t.equal(readIban(text), undefined, text)
  t.end()
})

test('iban - check digits that are right do not make up for a wrong length, form or country', (t) => {
  for (const text of [
    'NL58ABNA041716430',
    'NL06ABNA04171643001',
    'DE08ABCD37040044053201',
    'NL49ABNA04171643A0',
    'ZZ38ABNA0417164300',
  ])
    t.equal(readIban(text), undefined, text)
  t.end()
})

test('iban - one wrong character, and two neighbours that changed places, are found', (t) => {
  const digits = '0123456789'
  fc.assert(
    fc.property(fc.constantFrom(...examples), fc.nat(), fc.constantFrom(...digits), (iban, nat, digit) => {
      const at = 2 + (nat % (iban.length - 2))
      const changed = iban.slice(0, at) + digit + iban.slice(at + 1)
      if (changed !== iban && digits.includes(iban[at] ?? '') && readIban(changed) !== undefined) return false
      const swapped = iban.slice(0, at) + (iban[at + 1] ?? '') + iban[at] + iban.slice(at + 2)
      return swapped === iban || at + 1 >= iban.length || readIban(swapped) === undefined
    }),
  )
  t.end()
})

test('iban - only its last four characters are shown', (t) => {
  t.equal(maskIban('NL91ABNA0417164300'), '**************4300')
  t.end()
})
