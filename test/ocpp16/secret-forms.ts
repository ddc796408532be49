// The forms in which charge points send a secret with its name, beside those of OCPP: as the payload of a DataTransfer, and as a text in it.

/** As structures. */
export function secretStructures(name: string, secret: string): readonly object[] {
  return [
    { [name]: secret },
    { [name]: { new: secret, old: 5 } },
    { key: name, value: secret },
    { name, val: secret },
    { val: secret, name },
    { id: name, readonly: false, v: secret },
    { parameterName: name, newValue: secret },
    { key: name, content: { text: secret } },
    { keys: [name, 'HeartbeatInterval'], values: [secret, '300'] },
    [name, secret],
    [
      ['HeartbeatInterval', '300'],
      [name, secret],
    ],
    [name, [secret]],
    [name, { as: secret }],
    [{ n: name }, { v: secret }],
    {
      config: [
        { name: 'HeartbeatInterval', val: '300' },
        { name, val: secret },
      ],
    },
    { [`${name}=${secret}`]: true },
  ]
}

/** As texts: those of the structures too, also cut, and put into a text once more. */
export function secretTexts(name: string, secret: string): readonly string[] {
  const json = secretStructures(name, secret).flatMap((one) => {
    const text = JSON.stringify(one)
    const wide = JSON.stringify({ type: 1, one }, null, 2)
    const twice = JSON.stringify({ text })
    const whole = [text, wide, twice, JSON.stringify(twice)]
    return [...whole, ...whole.map((each) => each.slice(0, -1)), ...whole.map((each) => `cfg ${each}`)]
  })
  return [
    ...json,
    ...json.filter((one) => !one.includes('\\')).map((one) => one.replaceAll('"', "'")),
    `${name}=${secret}`,
    `${name}: ${secret}`,
    `set ${name} = "${secret} and ${secret}"`,
    `${name};${secret}`,
    `${name} | ${secret}`,
    `${name}: Basic ${secret}`,
    `"${name}":"${secret}"`,
    `"${name}","${secret}"`,
    `a="b ${name}=${secret}`,
    `mode=${name}=${secret}`,
    `name=${name}&value=${secret}`,
    `name: ${name}, value: ${secret}`,
    `<${name}>${secret}</${name}>`,
    `<entry><key>${name}</key><value>${secret}</value></entry>`,
    `<param name="${name}" value="${secret}"/>`,
    `ftp://user:${secret}@example.com/file`,
    `https://example.com/file?${name}=${secret}&more=1`,
  ]
}
