-- Jobs of one partition wait for Ringmaster, which decides when and where they run.
-- Copy this file beside slurm.conf as job_submit.lua, and set JobSubmitPlugins=lua there.
-- If you have such a file already, call ringmaster_submit and ringmaster_modify from yours.

-- The partition, as in the server's file: engine: {name: slurm, partition: ring}.
local PARTITION = "ring"

-- User ids that may steer its jobs: root, and the user that Ringmaster runs as.
local STEERS = { [0] = true }

-- What Slurm calls "not said".
local NOT_SAID = 4294967294

local function names(list)
  return list ~= nil and ("," .. list .. ","):find("," .. PARTITION .. ",", 1, true) ~= nil
end

-- Who names no partition gets the default one. After `scontrol update partition=.. default=yes`
-- Slurm tells of two, until it is restarted: then nobody is held here, but at the next look.
local function wanted(job, partitions)
  if job.partition ~= nil then
    return job.partition
  end
  local default = nil
  for name, partition in pairs(partitions) do
    if partition.flag_default ~= 0 then
      if default ~= nil then
        return nil
      end
      default = name
    end
  end
  return default
end

local function ringmaster_submit(job, partitions, uid)
  local partition = wanted(job, partitions)
  if not names(partition) then
    return slurm.SUCCESS
  end
  if partition ~= PARTITION then
    slurm.log_user("-p " .. PARTITION .. " cannot be combined with other partitions")
    return slurm.ERROR
  end
  if not STEERS[uid] then
    job.priority = 0
    -- What a script says of itself, as in: #RINGMASTER min=1 max=8
    if job.script ~= nil and (job.comment == nil or job.comment == "") then
      local says = ("\n" .. job.script):match("\n#RINGMASTER[ \t]*([^\n]*)")
      if says ~= nil then
        job.comment = "ringmaster " .. says
      end
    end
  end
  return slurm.SUCCESS
end

-- Owners keep all their rights but these: to release, to move, and to choose nodes.
local function ringmaster_modify(change, job, uid)
  if STEERS[uid] or not (names(job.partition) or names(change.partition)) then
    return slurm.SUCCESS
  end
  if change.priority ~= NOT_SAID or change.partition ~= nil or change.req_nodes ~= nil then
    return slurm.ERROR
  end
  return slurm.SUCCESS
end

function slurm_job_submit(job, partitions, uid)
  return ringmaster_submit(job, partitions, uid)
end

function slurm_job_modify(change, job, partitions, uid)
  return ringmaster_modify(change, job, uid)
end

return slurm.SUCCESS
