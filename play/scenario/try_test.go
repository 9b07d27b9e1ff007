package scenario_test
import ("testing";"context";"clankie/emu";"clankie/play/scenario";"clankie/play/playtest";"fmt";"time")
func TestTry(t *testing.T){
 for _, id := range scenario.List() {
  p,err:=scenario.Load(id); if err!=nil{t.Fatal(err)}
  boot:=func(context.Context)(emu.Body,error){ if p.Double!=nil {return p.BootDouble()}; return playtest.Body(t,id),nil}
  st:=time.Now()
  e,err:=p.Play(t.Context(),boot,t.TempDir(),scenario.NetworkOf())
  fmt.Println(id, time.Since(st), err)
  if err!=nil {t.Error(err);}
  for _,d:=range e.Decisions.Decisions { a:=""; if d.Action!=nil {a=fmt.Sprint(d.Action.Kind," ",d.Action.Button)}; fmt.Println(d.Sequence,d.ObservedKind,d.ObservedFrame,d.ReasonCode,a)}
  for _,f:=range e.Files { if f.Name=="report.json" {fmt.Println(string(f.Data))}}
  dir:=t.TempDir()+"/out"
  if err:=e.Write(dir); err!=nil {t.Error(err)}
  if _,_,err:=scenario.Verify(dir); err!=nil {t.Error(err)}
 }
}
