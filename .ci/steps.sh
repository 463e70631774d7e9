# The steps of `.ci/run`, which sources this: `scratch` is a folder of its own. Counts them, and keeps their seconds and what is
# said of each failure.
passed=0
failed=0
times=()
# Together at the end: of a long output a reader often gets no more than that.
told=()

step() {
  local name=$1 begun=$SECONDS
  shift
  echo "--- $name"
  "$@" > "$scratch/step" 2>&1
  ended "$name" $? $((SECONDS - begun)) "$scratch/step"
}

# Tells what a step printed, and counts how it ended.
ended() {
  local name=$1 status=$2 seconds=$3 printed=$4 result=passed
  cat "$printed"
  if [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
  else
    result=FAILED
    echo "FAILED: $name"
    failed=$((failed + 1))
    told+=("$name" "$(why "$printed")")
  fi
  took "$seconds" "$result" "$name"
}

# Steps that wait half of the time go side by side in lanes, each of which is a function that names its steps by `in_lane`,
# one behind the other:
#   begin_lanes
#   lane first some_steps &
#   lane second other_steps &
#   tell_lanes 'what they are' first second
# What a lane printed is told behind all of them, step by step as everywhere else, and a lane that did not come to its end failed.
begin_lanes() { lanes_begun=$SECONDS; }
lane() {
  lane_dir=$scratch/lane-$1
  lane_steps=0
  rm -rf "$lane_dir"
  mkdir "$lane_dir"
  "${@:2}"
  touch "$lane_dir/ended"
}
in_lane() {
  local name=$1 begun=$SECONDS place
  place=$lane_dir/$(printf '%03d' "$lane_steps")
  lane_steps=$((lane_steps + 1))
  shift
  echo "$name" > "$place.name"
  "$@" > "$place.printed" 2>&1 < /dev/null
  echo "$? $((SECONDS - begun))" > "$place.end"
}
tell_lanes() {
  local title=$1 each place status seconds
  shift
  wait
  for each in "$@"; do
    for place in "$scratch/lane-$each"/*.name; do
      [ -f "$place" ] || continue
      place=${place%.name}
      read -r status seconds 2> /dev/null < "$place.end" || { status=1 seconds=0; }
      echo "--- $(cat "$place.name")"
      ended "$(cat "$place.name")" "$status" "$seconds" "$place.printed"
    done
    if [ ! -f "$scratch/lane-$each/ended" ]; then
      echo "the lane did not come to its end" > "$scratch/step"
      ended "lane: $each" 1 0 "$scratch/step"
    fi
  done
  times+=("$(printf '%5d s  %-6s  %s' $((SECONDS - lanes_begun)) '' "$title, side by side")")
}

# The lines of an output that say why it failed, or its last ones where none does.
why() {
  local lines
  lines=$(grep -aE '^ *(FAIL|×|✗)|[A-Za-z]*Error: |FAILED|is red|seed' "$1" | awk '!seen[$0]++' | tail -n 12 | cut -c 1-300)
  if [ -z "$lines" ]; then lines=$(tail -n 12 "$1" | cut -c 1-300); fi
  sed 's/^/    /' <<< "$lines"
}

# A line of the table at the end.
took() {
  times+=("$(printf '%5d s  %-6s  %s' "$1" "$2" "$3")")
  echo "    $1 s"
}
