// Tries the server with the official TypeScript client. Usage:
//
//   node client.mjs SCENARIO PROGRAM
//
// Every message that the client cannot read, every line on the server's standard
// output that is no message, and every result that does not fit the tool's
// schema ends the scenario with an error.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [scenario, program] = process.argv.slice(2);
const servers = join(process.env.HOME, '.local', 'state', 'clankie', 'gba-mcp');

// The folders of servers, of which none may be left when none runs.
const left = () => (existsSync(servers) ? readdirSync(servers).filter((name) => name.startsWith('run-')) : []);

async function connect({ args = [], env = {} } = {}) {
  const transport = new StdioClientTransport({
    command: program, args: ['mcp', ...args], env: { ...process.env, ...env }, stderr: 'inherit',
  });
  const client = new Client({ name: 'official', version: '1' });
  const unread = [];
  client.onerror = (err) => unread.push(err);
  await client.connect(transport);
  await client.listTools(); // from here on the client checks results against the schemas
  const call = (name, args = {}, options) =>
    client.callTool({ name: `gba_emulator_${name}`, arguments: args }, undefined, options);
  const act = async (action) => (await call('start_action', { action })).structuredContent;
  const where = async () => {
    const seen = await call('observe', { kind: 'overworld' });
    return seen.structuredContent.observations[0].data.position;
  };
  const close = async () => {
    await client.close();
    assert.deepEqual(unread, [], 'the client could not read what it got');
  };
  await call('observe'); // the game is booted
  return { client, transport, unread, call, act, where, close };
}

const scenarios = {
  async play() {
    const server = await connect();
    assert.equal(server.client.getServerVersion().name, 'gba-emulator-harness');
    const { tools } = await server.client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), [
      'gba_emulator_observe', 'gba_emulator_start_action', 'gba_emulator_pause',
      'gba_emulator_resume', 'gba_emulator_save_state', 'gba_emulator_load_state', 'gba_emulator_recall',
    ]);
    assert.equal((await server.call('recall')).structuredContent.turnsTaken, 0);
    const seen = await server.call('observe');
    const image = seen.content.find((part) => part.type === 'image');
    assert.equal(image.mimeType, 'image/png');
    assert.equal(Buffer.from(image.data, 'base64').subarray(1, 4).toString(), 'PNG');
    assert.deepEqual(JSON.parse(seen.content[0].text), seen.structuredContent.observations);

    const walked = await server.act({ kind: 'walk_to', x: 13, y: 13 });
    assert.equal(walked.status, 'completed');
    assert.equal(walked.outcome.arrived, true);
    const saved = (await server.call('save_state', { label: 'from-node' })).structuredContent;
    await server.act({ kind: 'walk_to', x: 13, y: 11 });
    const loaded = await server.call('load_state', { checkpointId: saved.checkpointId });
    assert.equal(loaded.structuredContent.kept.label, 'before-rewind');
    assert.deepEqual(await server.where(), walked.outcome.position);
    assert.equal((await server.call('load_state')).structuredContent.checkpoints.length, 2);
    await server.call('pause', { reason: 'looking' });
    assert.equal((await server.act({ kind: 'frame_advance', frames: 1 })).errorCode, 'session_paused');
    await server.call('resume');
    // Two walks and one that was refused, a save and a load.
    assert.equal((await server.call('recall')).structuredContent.turnsTaken, 5);
    await server.close();
    assert.deepEqual(left(), []);
  },

  async refusals() {
    const server = await connect();
    for (const [name, args, code] of [
      ['observe', { kind: 'battle' }, 'battle_not_active'],
      ['observe', { kind: 'x'.repeat(5000) }, 'invalid_emulator_command'],
      ['start_action', { action: { kind: 'walk_to', x: 1 } }, 'invalid_emulator_command'],
      ['start_action', { action: { kind: 'wait' } }, 'invalid_emulator_command'],
      ['start_action', {}, 'invalid_emulator_command'],
      ['load_state', { checkpointId: '../../etc' }, 'checkpoint_id_invalid'],
      ['load_state', { checkpointId: 'no-such' }, 'checkpoint_not_found'],
    ]) {
      const result = await server.call(name, args);
      assert.equal(result.isError, true);
      assert.ok(result.content[0].text.startsWith(`${code}: `), result.content[0].text);
      assert.ok(result.content[0].text.length <= 500);
    }
    await assert.rejects(server.call('restart'), /unknown tool/);
    await server.close();
  },

  async double() {
    const server = await connect({ env: { GBA_MCP_BODY: 'double' } });
    for (const name of ['save_state', 'load_state']) {
      const result = await server.call(name);
      assert.equal(result.isError, true);
      assert.ok(result.content[0].text.startsWith('checkpoints_unavailable: '), result.content[0].text);
    }
    await server.close();
  },

  async cancel() {
    const server = await connect({ args: ['--speed', '1'] });
    const before = await server.where();
    const told = [];
    const abort = new AbortController();
    await assert.rejects(server.call('start_action', { action: { kind: 'walk_to', x: 8, y: 14 } }, {
      signal: abort.signal,
      onprogress: (progress) => {
        told.push(progress.progress);
        if (told.length === 4) abort.abort('enough'); // some 40 frames into the walk
      },
    }));
    const status = (await server.call('observe', { kind: 'action' })).structuredContent.observations[0].data;
    assert.equal(status.status, 'cancelled');
    const after = await server.where();
    assert.notDeepEqual(after, before, 'the walk had not begun');
    assert.notDeepEqual([after.x, after.y], [8, 14], 'the walk went on to its end');
    assert.ok(told.every((n, i) => i === 0 || n > told[i - 1]), `progress goes back: ${told}`);
    await server.act({ kind: 'frame_advance', frames: 30 }); // he comes to rest on a tile
    assert.equal((await server.act({ kind: 'walk_to', x: before.x, y: before.y })).status, 'completed');
    // The answer to a call that was cancelled comes all the same, and perhaps a
    // progress that was under way; nothing else is unexpected by this client.
    const unexpected = server.unread.splice(0).map(String);
    assert.ok(unexpected.every((text) => /unknown (message ID|token)/.test(text)), unexpected.join('\n'));
    await server.close();
  },

  async two() {
    const [one, two] = await Promise.all([connect(), connect()]);
    const start = await two.where();
    const [walked] = await Promise.all([one.act({ kind: 'walk_to', x: 13, y: 13 }), two.act({ kind: 'frame_advance', frames: 60 })]);
    assert.equal(walked.status, 'completed');
    await one.call('save_state', { label: 'mine' });
    assert.deepEqual(await two.where(), start);
    assert.deepEqual((await two.call('load_state')).structuredContent.checkpoints, []);
    assert.equal(left().length, 2);
    await one.close();
    assert.equal((await two.act({ kind: 'walk_to', x: 13, y: 13 })).status, 'completed');
    await two.close();
    assert.deepEqual(left(), []);
  },

  async killed() {
    const victim = await connect();
    await victim.call('save_state');
    process.kill(victim.transport.pid, 'SIGKILL');
    await new Promise((resolve) => { victim.client.onclose = resolve; });
    assert.equal(left().length, 1);
    const next = await connect();
    assert.equal(left().length, 1, 'what the killed server left is still there');
    await next.close();
    assert.deepEqual(left(), []);
  },

  async thousand() {
    const server = await connect();
    const since = Date.now();
    for (let i = 0; i < 1000; i++) {
      switch (i % 4) {
        case 0: await server.act({ kind: 'button_press', button: 'up', holdFrames: 1 }); break;
        case 1: await server.call('observe', { kind: 'scene' }); break;
        case 2: await server.act({ kind: 'frame_advance', frames: 1 }); break;
        default: await server.act({ kind: 'advance_dialog' });
      }
    }
    console.log(`1000 calls in ${Date.now() - since} ms`);
    await server.close();
    assert.deepEqual(left(), []);
  },

  // Says the server's process id and begins something long, to be killed.
  async dies() {
    const server = await connect({ args: ['--speed', '1'] });
    const long = server.act({ kind: 'frame_advance', frames: 1800 });
    console.log(`server ${server.transport.pid}`);
    await long;
  },
};

await scenarios[scenario]();
