// Every status code and every rule of OCPI 2.2.1 that holds for the service, and every point at which the interface differs from the standard, has a
// test that is named after it. The numbers are those of the reference of OCPI in the requirements: 1.2 status codes, 1.3 HTTP statuses, 1.4 tokens,
// 1.5 headers, 1.6 pages, 2.1 versions, 2.2 the handshake, 11 the differences.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'

const folder = fileURLToPath(new URL('../../../test/service/', import.meta.url))

/** The beginning of a title, behind its number. */
const rules: Readonly<Record<string, readonly string[]>> = {
  '1.2': ['1000', '2000', '2001', '2002', '2003', '2004', '3000', '3001', '3002', '3003', '4000, 4001, 4002 and 4003'],
  '1.3': [
    '400 is a body that is not JSON',
    '401 is no token, or one that nobody has been given',
    '401 is token A at any module but versions and credentials',
    '404 is an object that there is not, or a party in the URL that is not the caller’s',
    '405 is a method that the object does not have',
    '200 is what was there or has a fault of its content, 201 what is new',
    'an unknown token at authorize is 404 together with 2004',
    'charging preferences are 404 together with 2001',
    'parameters that cannot be read are 200 with 2001',
    'the envelope is there with 400, 401, 404, 405, 413 and 415',
    '429 has the envelope',
  ],
  '1.4': [
    'a token is taken in base64',
    'a token is taken as it is',
    'a line feed or a blank behind a token is not a part of it',
    'the word before a token has no case',
    'Bearer and X-API-Key are not taken',
    'in JSON a token is not encoded: at most 64 printable characters',
    'the service sends base64, or what its operator says',
    'a partner that refuses base64 is tried once as it was before',
  ],
  '1.5': [
    'the ids of a request come back with every answer',
    'a request without ids is answered all the same',
    'what the service sends has ids',
    'parties stand in every call of a functional module, and in none of versions and credentials',
    'an answer has the parties of its request turned round',
    'a request to a party that is not here is 404 with 2000',
    'a request from a party that is not the partner’s is 200 with 2001',
    'without parties, the token says whose the request is',
    'of a partner with several parties, the sender says which it is',
    'what concerns all is sent to the hub for all',
  ],
  '1.6': [
    'date_from is inclusive, and date_to exclusive',
    'offset passes over as many',
    'X-Total-Count is of all that match',
    'X-Limit is the most that a page has, also where less is asked for',
    'a limit above the most is taken for the most',
    'Link is absolute, by the public address, and has the filters of the page',
    'whoever follows the links sees each once, and the last page has none',
    'the oldest come first',
    'what comes, changes or goes meanwhile moves nothing between pages',
  ],
  '2.1': [
    'versions and their modules are read with token A or C',
    '2.2.1 is the one version, and another is 404 with 3002',
    'every module has an absolute address without a slash behind it',
    'of a partner’s modules, objects go to receivers, tokens come from senders',
  ],
  '2.2': [
    'token A is made by the operator, and shown once',
    'POST reads the partner’s versions and modules with token B before it is answered',
    'a POST that fails leaves token A valid, and nothing else behind',
    'the answer to POST has token C, and token A is over',
    'POST when already registered is HTTP 405',
    'PUT when not yet registered is HTTP 405',
    'DELETE when not registered is HTTP 405',
    'GET is allowed with token A',
    'GET has the credentials by which the partner calls now',
    'PUT reads versions and modules again, and gives a new token',
    'after PUT, the token before goes on for requests that are under way',
    'DELETE ends both tokens and all pushes, and keeps what was',
    'as the one that registers, the service does the same in mirror image',
    'tokens can be rotated by the service',
    'TLS asks partners for no certificate, and a token that was replaced is over after a minute',
  ],
  '11': [
    'null stands for a field that is left out, in each body and each answer of a partner',
    ...Array.from({ length: 19 }, (_, row) => `row ${row + 1}: `),
  ],
}

/** Of every test, as `1.2` and `2001: ...`. */
const titles = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts'))
  .flatMap((name) => [
    ...readFileSync(`${folder}${name}`, 'utf8').matchAll(/\b(?:test|each)\(\s*(['"`])OCPI ([0-9.]+) - (.*?)\1,/g),
  ])
  .map(([, , section = '', rule = '']) => ({ section, rule }))

test('OCPI rules - each has one test that is named after it', (t) => {
  for (const [section, all] of Object.entries(rules))
    for (const rule of all) {
      const named = titles.filter((title) => title.section === section && title.rule.startsWith(rule))
      t.equal(named.length, 1, `OCPI ${section} - ${rule}`)
    }
  t.end()
})

test('OCPI rules - no test is named after one that is not listed', (t) => {
  const unlisted = titles.filter(({ section, rule }) => rules[section]?.some((one) => rule.startsWith(one)) !== true)
  t.same(unlisted, [])
  t.end()
})
